"""Type inference of calls: the accepted arguments and the type of the result (FLIP-51)."""

from ir.inference.call_context import CallContext
from ir.inference.type_inference import TypeInference

__all__ = ["CallContext", "TypeInference"]
