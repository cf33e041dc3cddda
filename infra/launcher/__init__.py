"""The launcher's rooms: one file per thing that it starts, and `instance` that holds them together.

Python's standard library only; nothing here knows the application's inside.
"""
