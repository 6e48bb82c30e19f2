"""The currencies and units that stand beside numbers, as tables write them."""

from __future__ import annotations

CURRENCIES = frozenset(
    {
        *("$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "฿", "₫", "₴"),
        *("₦", "₱", "US$", "A$", "C$", "CA$", "AU$", "HK$", "NZ$", "R$", "S$", "USD"),
        *("EUR", "GBP", "CHF", "JPY", "CNY", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "ISK"),
        *("PLN", "CZK", "HUF", "RON", "BGN", "TRY", "RUB", "UAH", "ILS", "AED", "SAR", "INR"),
        *("PKR", "BDT", "LKR", "IDR", "MYR", "SGD", "HKD", "TWD", "THB", "PHP", "VND", "KRW"),
        *("ZAR", "NGN", "KES", "EGP", "MAD", "BRL", "MXN", "ARS", "CLP", "COP", "PEN", "Rs"),
        *("Rs.", "Fr.", "kr", "zł", "Kč", "Ft", "lei"),
    }
)
ORDINALS = ("st", "nd", "rd", "th")
UNITS = frozenset(
    {
        *("kg", "g", "mg", "lb", "lbs", "oz", "t", "km", "m", "cm", "mm", "mi", "miles", "ft", "in", "yd", "km²", "m²"),
        *(
            "sqm",
            "sqft",
            "sq ft",
            "sq mi",
            "ha",
            "acres",
            "l",
            "ml",
            "L",
            "gal",
            "mph",
            "km/h",
            "kmh",
            "kW",
            "MW",
            "GW",
        ),
        *("kWh", "MWh", "GWh", "Hz", "kHz", "MHz", "GHz", "B", "KB", "MB", "GB", "TB", "kB", "s", "sec", "ms", "min"),
        *("h", "hr", "hrs", "hours", "minutes", "seconds", "days", "weeks", "months", "years", "yrs", "°", "°C", "°F"),
        *("°", "pts", "points", "pp", "bps", "ppm", "V", "A", "W", "J", "kJ", "cal", "kcal", "psi", "bar", "hPa"),
    }
)
