package merging;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Tables in the memory of one process that take MERGE, as no table that comes with Spark does.
 *
 * <p>The driver and the tasks load this class by different class loaders, so that the rows are in a map of the process.
 */
public class MergingCatalog implements TableCatalog {
  private static final Map<String, Stored> TABLES = new ConcurrentHashMap<>();
  private String name;

  @SuppressWarnings("unchecked")
  private static Map<String, List<InternalRow>> rows() {
    return (Map<String, List<InternalRow>>)
        System.getProperties().computeIfAbsent(MergingCatalog.class.getName(), key -> new ConcurrentHashMap<>());
  }

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    return Set.of(TableCatalogCapability.SUPPORT_TABLE_CONSTRAINT);
  }

  @Override
  public Identifier[] listTables(String[] namespace) {
    return new Identifier[0];
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    Stored found = TABLES.get(identifier.toString());
    if (found == null) {
      throw new NoSuchTableException(identifier);
    }
    return found;
  }

  @Override
  public Table createTable(Identifier identifier, TableInfo info) {
    Stored made = new Stored(identifier.toString(), info.columns(), info.schema(), info.constraints());
    TABLES.put(identifier.toString(), made);
    rows().put(identifier.toString(), List.of());
    return made;
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes) {
    throw new UnsupportedOperationException("alterTable");
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    return TABLES.remove(identifier.toString()) != null;
  }

  @Override
  public void renameTable(Identifier before, Identifier after) {
    throw new UnsupportedOperationException("renameTable");
  }

  /** A table, whose rows all readers and writers of the process share. */
  private static final class Stored implements SupportsRead, SupportsWrite, SupportsRowLevelOperations {
    private final String name;
    private final Column[] columns;
    private final StructType schema;
    private final Constraint[] constraints;

    Stored(String name, Column[] columns, StructType schema, Constraint[] constraints) {
      this.name = name;
      this.columns = columns;
      this.schema = schema;
      this.constraints = constraints;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Column[] columns() {
      return columns;
    }

    @Override
    public Constraint[] constraints() {
      return constraints;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return new HashSet<>(Arrays.asList(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE));
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new Whole(schema, name);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
      return builder(false);
    }

    @Override
    public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
      return () -> new RowLevelOperation() {
        @Override
        public Command command() {
          return info.command();
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
          return Stored.this.newScanBuilder(options);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo write) {
          return builder(true);
        }
      };
    }

    private WriteBuilder builder(boolean replaces) {
      return new WriteBuilder() {
        @Override
        public Write build() {
          return new Write() {
            @Override
            public BatchWrite toBatch() {
              return new Replacing(Stored.this, replaces, UUID.randomUUID() + "/");
            }
          };
        }
      };
    }
  }

  private record Whole(StructType schema, String table) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return schema;
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return new InputPartition[] {new Part(table)};
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Readers();
    }
  }

  private record Part(String table) implements InputPartition {}

  private static final class Readers implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      List<InternalRow> rows = rows().get(((Part) partition).table());
      return new PartitionReader<>() {
        private int next = 0;

        @Override
        public boolean next() {
          return next++ < rows.size();
        }

        @Override
        public InternalRow get() {
          return rows.get(next - 1);
        }

        @Override
        public void close() {}
      };
    }
  }

  private record Replacing(Stored table, boolean replaces, String staged) implements BatchWrite {
    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return new Writers(staged);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
      List<InternalRow> made = new ArrayList<>(replaces ? List.of() : rows().get(table.name()));
      for (int partition = 0; partition < messages.length; partition++) {
        made.addAll(rows().remove(staged + partition));
      }
      rows().put(table.name(), made);
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {}
  }

  /** Writers leave their rows in the map of the process: a message of a class of this jar could not be read. */
  private record Writers(String staged) implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
      List<InternalRow> written = new ArrayList<>();
      return new DataWriter<>() {
        @Override
        public void write(InternalRow row) {
          written.add(row.copy());
        }

        @Override
        public WriterCommitMessage commit() {
          rows().put(staged + partition, written);
          return null;
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
      };
    }
  }
}
