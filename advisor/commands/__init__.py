"""What the console commands do, one module a kind; `advisor.cli` gives them their names."""
