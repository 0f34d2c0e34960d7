"""How Stamina runs through a day: forward as chances, backward as advice, sampled as simulated days."""
