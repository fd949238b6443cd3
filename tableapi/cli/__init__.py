"""The command line ``tableapi``: each verb is a function of ``app``, which loads what it needs when it is called."""
