"""The post room: what it makes of a message, and the form in which receipts are kept."""
