"""What the figures are about: plausible variables, in five near wordings each.

Any of the five may be drawn, the other four are its wrong options, so that nobody can tell without
the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

Five = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Topic:
    """One subject.

    Attributes:
        titles, x_labels, y_labels: five wordings each.
        series: names of which some stand in the legend.
        x, y: the ranges of plausible values.
        trend: the change over the whole x range, as a share of the y range; negative where y falls.
    """

    titles: Five
    x_labels: Five
    y_labels: Five
    series: tuple[str, ...]
    x: tuple[float, float]
    y: tuple[float, float]
    trend: float


TOPICS = (
    Topic(
        ("Reservoir level over the year", "Reservoir level over the years",
         "River level over the year", "Reservoir inflow over the year",
         "Reservoir volume over the year"),
        ("Day of the year", "Day of the month", "Week of the year", "Day of the season",
         "Days since filling"),
        ("Level (m)", "Level (mm)", "Depth (m)", "Level (ft)", "Inflow (m³/s)"),
        ("North basin", "South basin", "West basin", "East basin", "North inlet", "South inlet",
         "Upper basin", "Lower basin"),
        (0, 360), (120, 180), -0.4,
    ),
    Topic(
        ("Fuel use and vehicle speed", "Fuel use and engine speed", "Fuel cost and vehicle speed",
         "Fuel use and vehicle mass", "Energy use and vehicle speed"),
        ("Speed (km/h)", "Speed (m/s)", "Speed (mph)", "Engine speed (rpm)", "Wind speed (km/h)"),
        ("Fuel use (L/100 km)", "Fuel use (L/h)", "Fuel use (kg/100 km)", "Fuel cost (€/100 km)",
         "Energy use (kWh/100 km)"),
        ("Compact car", "Compact van", "Estate car", "Sports car", "Small van", "Large van",
         "Pick-up", "City car"),
        (20, 160), (3, 14), 0.6,
    ),
    Topic(
        ("Growth of seedlings under red light", "Growth of seedlings under blue light",
         "Growth of saplings under red light", "Growth of roots under red light",
         "Loss of seedlings under red light"),
        ("Time (days)", "Time (weeks)", "Time (hours)", "Age (days)", "Light dose (mol/m²)"),
        ("Height (mm)", "Height (cm)", "Leaf area (mm²)", "Root length (mm)", "Dry mass (mg)"),
        ("Lettuce", "Basil", "Cress", "Spinach", "Rocket", "Radish", "Chard", "Kale"),
        (0, 28), (5, 95), 0.8,
    ),
    Topic(
        ("Sleep and reaction time", "Sleep and response rate", "Rest and reaction time",
         "Sleep and recall time", "Shifts and reaction time"),
        ("Sleep (h per night)", "Sleep (h per week)", "Sleep (min per night)",
         "Rest (h per night)", "Time awake (h)"),
        ("Reaction time (ms)", "Reaction time (s)", "Recall time (ms)", "Response rate (1/min)",
         "Error rate (%)"),
        ("Group A", "Group B", "Group C", "Group D", "Control A", "Control B", "Pilot A",
         "Pilot B"),
        (3, 10), (210, 420), -0.6,
    ),
    Topic(
        ("Battery capacity after charging cycles", "Battery voltage after charging cycles",
         "Battery capacity after cooling cycles", "Battery capacity before charging cycles",
         "Battery resistance after charging cycles"),
        ("Charging cycles", "Cooling cycles", "Charging hours", "Charging current (A)",
         "Months in service"),
        ("Capacity (Ah)", "Capacity (Wh)", "Capacity (%)", "Voltage (V)", "Resistance (mΩ)"),
        ("Cell 1", "Cell 2", "Cell 3", "Cell 4", "Cell 11", "Cell 12", "Cell 13", "Cell 14"),
        (0, 1200), (55, 100), -0.7,
    ),
    Topic(
        ("House prices and distance to the centre", "House rents and distance to the centre",
         "House prices and distance to the coast", "Land prices and distance to the centre",
         "House prices and time to the centre"),
        ("Distance (km)", "Distance (m)", "Distance (miles)", "Travel time (min)",
         "Floor area (m²)"),
        ("Price (1000 €)", "Price (1000 $)", "Price (€/m²)", "Rent (€/month)", "Price index"),
        ("Ashford", "Ashton", "Ashby", "Aston", "Alton", "Acton", "Ashurst", "Alford"),
        (0, 30), (150, 820), -0.6,
    ),
    Topic(
        ("Ice cream sold and air temperature", "Ice cream sold and water temperature",
         "Ice cream made and air temperature", "Iced tea sold and air temperature",
         "Ice cream sold and air humidity"),
        ("Temperature (°C)", "Temperature (°F)", "Temperature (K)", "Humidity (%)",
         "Sunshine (h per day)"),
        ("Sales (kg)", "Sales (L)", "Sales (€)", "Sales (cups)", "Stock (kg)"),
        ("Beach kiosk", "Beach bar", "Park kiosk", "Park bar", "Pier kiosk", "Pier bar",
         "Zoo kiosk", "Zoo bar"),
        (8, 36), (20, 310), 0.7,
    ),
)  # fmt: skip
