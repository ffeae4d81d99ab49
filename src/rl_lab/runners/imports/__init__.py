"""Model files of other people, read as data in a confined process and written as a checkpoint of the lab's own.

Nothing in a file is unpickled or executed here, except a TorchScript program that the user approved. May import the
other runners and the worker.
"""
