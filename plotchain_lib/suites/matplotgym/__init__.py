"""matplotgym: draw the figure a claim needs, from raw data, as an agent."""
