"""Files people write, read into typed records or refused with their place."""
