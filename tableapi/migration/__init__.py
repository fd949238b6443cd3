"""Import the views of a catalog, or of SQL files, into a project, and prove that they mean the same there.

``target_views`` and ``sql_files`` read what is imported, ``staging`` tries in which form each view reads back as the
same tree, ``python_modules`` writes functions, ``folder`` and ``memory`` write a folder so that a run which was ended
anywhere can be repeated, and ``page`` shows the report.
"""
