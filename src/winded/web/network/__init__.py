"""The network at the table: by which addresses and names this machine is reached, and who is connected."""
