"""How the types of a call are found: what its arguments may be and what it returns (FLIP-51)."""

from ir.inference.call_context import CallContext
from ir.inference.type_inference import TypeInference

__all__ = ["CallContext", "TypeInference"]
