"""``tableapi serve``: the Model Context Protocol over stdio, with read-only tools over a project.

``server`` speaks the protocol, ``tools`` lists the tools, ``answers`` has what they do, ``workspace`` reads the
project.
"""
