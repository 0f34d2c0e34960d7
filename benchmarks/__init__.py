"""Every figure Winded claims, each measured by one command: `python -m benchmarks NAME`."""
