"""Tables of tricks fitted to solved deals: solving, fitting, reporting."""
