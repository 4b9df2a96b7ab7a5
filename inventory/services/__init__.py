"""Every write of cheques and cards."""
