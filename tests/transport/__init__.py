"""The post: accounts, fetching, sending, against real servers on this machine."""
