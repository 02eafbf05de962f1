"""``python -m pbem``: the same entry point as the `pbem` script."""

from pbem.front import main

main()
