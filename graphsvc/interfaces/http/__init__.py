"""The HTTP face: Litestar routes over one `MemoryGraph`, errors as problem+json."""
