"""Run Pitboss on a PostgreSQL and a Redis of its own: `python -m pitboss.embedded run`.

This package sets up no Django: it starts the processes that do. The servers are the real
ones, taken from two wheels of which only the programs are used, in the foreground, as children of
one parent, so that stopping or killing that parent stops them all.
"""
