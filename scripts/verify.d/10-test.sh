# Everything that must always hold.
exec make test
