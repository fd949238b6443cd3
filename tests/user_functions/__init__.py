"""Functions that people write: what they declare, which of them a name means, and how they run."""
