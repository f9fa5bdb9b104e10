"""How many tricks will it take?"""
