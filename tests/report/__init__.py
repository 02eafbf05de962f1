"""Tests of reports, receipts and the emails that carry them."""
