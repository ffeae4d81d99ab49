"""How a report looks on a screen, light or dark, and on A4 paper, where nothing may be cut at the right edge."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content-Security-Policy of a report: no script, nothing loaded; pictures are inside the page."""

LINES = ("1f4fa8", "c2410c", "15803d", "7e22ce", "be123c", "0e7490", "92700c", "4d5bd6", "4d7c0f", "a21caf")
"""Colours of the lines of a comparison, on paper and on a light screen."""
_DARK_LINES = (
    "8ab4ff",
    "fdba74",
    "86efac",
    "d8b4fe",
    "fda4af",
    "67e8f9",
    "fde047",
    "a5b4fc",
    "bef264",
    "f0abfc",
)


def _coloured(colours: tuple[str, ...]) -> str:
    """One class per line of a comparison; a class sets what `.line` and `.band` use."""
    return "".join(f".c{place}{{--line:#{one};--band:#{one}26}}" for place, one in enumerate(colours))


STYLE = (
    f"""{_coloured(LINES)}
@media screen and (prefers-color-scheme:dark){{{_coloured(_DARK_LINES)}}}"""
    + """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--soft:#5d636e;--rule:#dfe2e7;--warn:#b3261e;--good:#1d6b3c;
--line:#1f4fa8;--band:#1f4fa826}
@media screen and (prefers-color-scheme:dark){:root{--paper:#15171b;--ink:#e8eaee;--soft:#a0a7b4;--rule:#30343c;
--warn:#ff8a80;--good:#7fd6a0;--line:#8ab4ff;--band:#8ab4ff2e}}
body{margin:0 auto;max-width:1120px;padding:2rem 1.25rem 4rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1,h2{font-weight:600}h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem;border-bottom:1px solid var(--rule);padding-bottom:.35rem}
.soft,figcaption,svg text{color:var(--soft);fill:var(--soft)}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.2rem 1.25rem;margin:1rem 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.insight{border:1px solid var(--rule);border-left:3px solid var(--soft);padding:.6rem .9rem;margin:.6rem 0}
.insight.warning{border-left-color:var(--warn)}.insight.good{border-left-color:var(--good)}
.insight h3{margin:0;font-size:1rem}.insight p{margin:.25rem 0 0}.warning h3,.events .warning{color:var(--warn)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(400px,100%),1fr));gap:1rem}
figure{margin:0;border:1px solid var(--rule);padding:.6rem}figcaption{font-size:13px}
.strip{margin:.75rem 0}.frames{display:grid;grid-template-columns:repeat(6,1fr);gap:.4rem;margin-top:.5rem}
.frames img{display:block;width:100%;height:auto}.frames span{font-size:11px;color:var(--soft)}
.more{margin-top:1rem}h3{font-size:1rem;font-weight:600;margin:1.25rem 0 .25rem}
pre{font:13px ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
svg{width:100%;height:auto;display:block}svg text{font:11px system-ui,sans-serif}
svg .title{font-weight:600;font-size:13px;fill:var(--ink)}
.grid{stroke:var(--rule)}.line{fill:none;stroke:var(--line);stroke-width:1.6}.band{fill:var(--band)}
.reference{stroke:var(--good);stroke-width:1.4;stroke-dasharray:5 4}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .9rem .25rem 0;border-bottom:1px solid var(--rule);vertical-align:top;
overflow-wrap:anywhere}
.events{font:13px/1.6 ui-monospace,monospace;list-style:none;padding:0;overflow-wrap:anywhere}
@media(max-width:600px){.frames{grid-template-columns:repeat(3,1fr)}}
@page{size:A4;margin:16mm}
@media print{body{max-width:none;padding:0;font-size:10.5pt}h2{margin-top:1.5rem;break-after:avoid}
.charts{grid-template-columns:1fr 1fr}figure,.insight,tr,pre{break-inside:avoid}table,.events{font-size:8.5pt}
pre{font-size:8.5pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
)
