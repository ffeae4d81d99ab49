"""This computer: the doctor's checks, disks, the processes of runs.

May import environments and what all rooms share.
"""
