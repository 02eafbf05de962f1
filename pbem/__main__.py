"""``python -m pbem``: the same front door as the script."""

from pbem.front import main

main()
