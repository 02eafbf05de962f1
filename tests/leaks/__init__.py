"""Where nothing secret may be: what a command prints, leaves behind, or is started with."""
