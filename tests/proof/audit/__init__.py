"""Archives and audits: what is proven, and how what was changed is found and named. P4 to P9."""
