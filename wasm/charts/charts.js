// The standard charts: turns a figure of package ui/draw into options of
// Apache ECharts. Bundled by the build into charts.js, with only the parts of
// ECharts that stand here, and loaded when the first such chart is shown.
//
// A figure comes as text (JSON: what to draw, see ui/draw/encode.go) and as
// one array of numbers; "at": [from, count] in the text is a part of that
// array. All sizes are page pixels. Colours are variables of the style sheet,
// so that a change of theme draws nothing anew.
import { init, use } from "echarts/core";
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridSimpleComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";
import encodeQR from "qr";

use([BarChart, CustomChart, LineChart, ScatterChart, GridSimpleComponent, SVGRenderer]);

const ink = ["var(--ink-3)", "var(--ink-2)", "var(--ink)"];
const colour = (i) => i < 0 || i > 7 ? "var(--line-3)" : `var(--s${i + 1})`;
const dashes = [, [7, 3], [2, 2.5], [8, 2.5, 2, 2.5], [12, 3], [4, 4], [1, 3], [10, 2, 2, 2, 2, 2]];
const dash = (i) => dashes[i & 7] || "solid";

/** Patterns over bars by series, so that hue never stands alone. */
const light = "color-mix(in srgb, var(--panel) 45%, transparent)";
const stripes = (rotation) => ({ symbol: "rect", color: light, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation });
const dots = (gap) => ({ symbol: "circle", symbolSize: .5, color: light, dashArrayX: [[gap, gap], [0, gap, gap, 0]], dashArrayY: [gap, 0] });
const decals = [, stripes(-Math.PI / 4), dots(5), stripes(0), stripes(Math.PI / 4), { ...dots(5), symbol: "rect" }, dots(9)];

/** One axis of a panel. Ticks and their words were worked out before. */
function axis(a, grid, vertical, base) {
  const words = new Map(a.ticks.map((t) => [t[0], t]));
  const bold = a.ticks.some((t) => t[2]);
  const label = (v) => {
    const t = words.get(v);
    return t?.[2] ? `{b|${t[1]}}` : t?.[1] ?? "";
  };
  const at = a.ticks.map((t) => t[0]);
  return {
    gridIndex: grid, type: a.names ? "category" : a.log ? "log" : "value", inverse: !!a.inverse,
    ...a.names
      ? { data: a.names.map((value, i) => i < a.bold ? { value, textStyle: { fontWeight: 600, color: ink[2] } } : value) }
      : { min: a.min || 0, max: a.max || 0 },
    position: vertical ? "left" : "bottom",
    axisLine: { show: base, onZero: false, lineStyle: { color: "var(--line-3)" } },
    axisTick: { show: false, ...a.names ? {} : { customValues: at } },
    splitLine: { show: !a.names && !a.plain, lineStyle: { color: "var(--grid)" }, showMinLine: true, showMaxLine: true },
    axisLabel: {
      show: !a.hidden, margin: vertical ? 8 : 11, fontSize: a.names && vertical ? 12 : 11, color: a.names ? ink[1] : ink[0], hideOverlap: false,
      showMinLabel: true, showMaxLabel: true,
      ...a.names ? { interval: 0 } : { customValues: at, formatter: label },
      ...bold ? { rich: { b: { fontWeight: 600, color: ink[2], fontSize: 11 } } } : {},
    },
  };
}

const gaps = { barGap: "6%", barCategoryGap: "22%", barMaxWidth: 44 }; // as slots in ui/draw
const chosen = { stroke: "var(--accent)", lineWidth: 2 };

/** The series of ECharts for one layer of a figure. */
const shapes = {
  line: (l, data) => ({
    type: "line", data, step: l.steps ? "end" : false, showSymbol: !!l.size, symbol: "circle", symbolSize: l.size || 0, silent: !l.size,
    itemStyle: { color: colour(l.series), borderColor: "var(--panel)", borderWidth: 1 },
    lineStyle: { color: l.ink ? ink[1] : colour(l.series), width: l.width, type: dash(l.series), cap: "butt", join: "round" },
    areaStyle: l.area ? { color: colour(l.series), opacity: .12, origin: 0 } : undefined,
    emphasis: { scale: false, lineStyle: { width: l.width }, itemStyle: { borderColor: "var(--accent)", borderWidth: 2 } },
  }),
  dots: (l, data) => ({
    type: "scatter", data, dimensions: ["x", "y", "size"], symbol: l.diamond ? "diamond" : "circle", symbolSize: (v) => v[2], cursor: "default",
    symbolOffset: l.flat ? [0, l.shift || 0] : [l.shift || 0, 0],
    itemStyle: { color: l.ink ? ink[2] : colour(l.series), opacity: l.diamond ? 1 : .72, borderColor: "var(--panel)", borderWidth: l.size && l.size < 5 ? 0 : 1 },
    emphasis: { scale: false, itemStyle: { borderColor: "var(--accent)", borderWidth: 2, opacity: 1 } },
  }),
  bars: (l, data) => ({
    type: "bar", data: [...data], ...gaps, barWidth: l.width, cursor: "default",
    itemStyle: { color: colour(l.series), borderRadius: 1, decal: decals[l.series], ...l.series === 5 || l.series === 7 ? { borderColor: ink[1], borderWidth: 1 } : {} },
    emphasis: { itemStyle: { borderColor: "var(--accent)", borderWidth: 2 } },
  }),
  // A box with median and whiskers.
  boxes: (l, data) => custom(data.length / 6, false, (api, box, i) => {
    const [at, ...five] = data.subarray(6 * i, 6 * i + 6);
    const [x, room] = l.flat
      ? [five.map((v) => api.coord([v, at])), api.size([0, 1])[1]]
      : [five.map((v) => api.coord([at, v]).reverse()), api.size([1, 0])[0]];
    const half = l.width ? l.width / 2 : Math.min(9, room * .34), mid = x[0][1] + (l.shift || 0);
    const line = l.series < 0 ? ink[0] : ink[2];
    const path = (d, style) => ({ type: "path", shape: { pathData: l.flat ? d : d.replace(/([\d.-]+) ([\d.-]+)/g, "$2 $1").replace(/[HVhv]/g, (c) => turned[c]) }, style: { fill: "none", ...style } });
    const [low, q1, median, q3, high] = x.map((p) => p[0]);
    return {
      type: "group", children: [
        path(`M${low} ${mid}H${q1}M${q3} ${mid}H${high}M${low} ${mid - half * .6}v${half * 1.2}M${high} ${mid - half * .6}v${half * 1.2}`, { stroke: line, lineWidth: 1.2 }),
        { ...path(`M${q1} ${mid - half}H${q3}v${2 * half}H${q1}z`, { fill: l.series < 0 ? "var(--line-2)" : colour(l.series), decal: decals[l.series] && { ...decals[l.series] }, stroke: line, lineWidth: 1 }), emphasis: { style: chosen } },
        path(`M${median} ${mid - half}v${2 * half}`, { stroke: "var(--panel)", lineWidth: 3.4 }),
        path(`M${median} ${mid - half}v${2 * half}`, { stroke: ink[2], lineWidth: 1.6 }),
      ],
    };
  }),
  // From least to greatest along x: one shape.
  band: (l, data) => custom(1, true, (api) => {
    const at = tuples(data, 3), way = [];
    for (const [x, lo] of at) way.push(api.coord([x, lo]));
    for (const [x, , hi] of at.reverse()) way.push(api.coord([x, hi]));
    return { type: "polygon", shape: { points: way }, style: { fill: colour(l.series), opacity: .18 } };
  }),
  // Parts of the axis along x, such as weekends.
  spans: (l, data) => custom(1, true, (api, box) => ({
    type: "group", children: tuples(data, 2).map(([a, b]) => {
      const x = Math.max(box.x, api.coord([a, 0])[0]), end = Math.min(box.x + box.width, api.coord([b, 0])[0]);
      return { type: "rect", shape: { x, y: box.y, width: Math.max(0, end - x), height: box.height }, style: { fill: "var(--sunken)", opacity: .6 } };
    }),
  })),
  // Intervals: a line with ends, and a halo in the ground's colour.
  whiskers: (l, data) => custom(1, true, (api) => {
    const group = l.shift || 0, children = [];
    for (const [x, lo, hi] of tuples(data, 3)) {
      if (!(hi > lo)) continue;
      const [a, b] = l.flat ? [api.coord([lo, x]), api.coord([hi, x])] : [api.coord([x, lo]), api.coord([x, hi])];
      const line = (end, style) => {
        const d = l.flat
          ? `M${a[0]} ${a[1] + group}H${b[0]}M${a[0]} ${a[1] + group - end}v${2 * end}M${b[0]} ${b[1] + group - end}v${2 * end}`
          : `M${a[0] + group} ${a[1]}V${b[1]}M${a[0] + group - end} ${a[1]}h${2 * end}M${b[0] + group - end} ${b[1]}h${2 * end}`;
        children.push({ type: "path", shape: { pathData: d }, style: { fill: "none", ...style } });
      };
      line(4.5, { stroke: "var(--panel)", lineWidth: 4 });
      line(4, { stroke: l.ink ? ink[2] : colour(l.series), lineWidth: 1.5 });
    }
    return { type: "group", children };
  }),
  // Short lines across, such as published values beside ours.
  levels: (l, data) => custom(1, true, (api) => ({
    type: "group", children: tuples(data, 2).flatMap(([x, v]) => {
      const [a, b] = api.coord(l.flat ? [v, x] : [x, v]), half = l.width / 2, shift = l.shift || 0;
      const pathData = l.flat ? `M${a} ${b + shift - half}v${2 * half}` : `M${a + shift - half} ${b}h${2 * half}`;
      return (l.ink ? [["var(--panel)", 5], [ink[2], 2.2]] : [["var(--line-3)", 1]]).map(([stroke, lineWidth]) => ({ type: "path", shape: { pathData }, style: { fill: "none", stroke, lineWidth } }));
    }),
  })),
  // Cells of a map: column, row, colour, colour of the words.
  cells: (l, data) => custom(data.length / 4, false, (api, box, i) => {
    const [column, row, fill, words] = data.subarray(4 * i, 4 * i + 4);
    const [w, h] = api.size([1, 1]), [x, y] = api.coord([column, row]), gap = Math.min(w, h) > 8 ? 1 : 0;
    return {
      type: "rect", shape: { x: x - w / 2 + gap, y: y - h / 2 + gap, width: w - 2 * gap + (gap ? 0 : .5), height: h - 2 * gap + (gap ? 0 : .5), r: gap ? 2 : 0 },
      style: { fill: hex(fill) }, emphasis: { style: chosen },
      ...l.words ? { textContent: { style: { text: l.words[i], fill: hex(words), fontSize: 11 } }, textConfig: { position: "inside" } } : {},
    };
  }),
};

const turned = { H: "V", V: "H", h: "v", v: "h" };
const hex = (n) => "#" + (n | 0x1000000).toString(16).slice(1);

function tuples(data, n) {
  const out = [];
  for (let i = 0; i < data.length; i += n) out.push([...data.subarray(i, i + n)]);
  return out;
}

/** A series that draws by itself, from n items. */
function custom(n, silent, draw) {
  return {
    type: "custom", silent, cursor: "default", data: Array.from({ length: n }, () => [0, 0]), encode: { x: -1, y: -1 },
    renderItem: (params, api) => draw(api, params.coordSys, params.dataIndex),
  };
}

/** Words at fixed places, with a piece of a series' line before them. */
const texts = (list) => custom(1, true, () => ({
  type: "group", children: list.flatMap(({ x = 0, y = 0, text, align = "left", tone = 0, series = 0 }) => [
    ...series >= 0 ? [{ type: "line", shape: { x1: x, y1: y, x2: x + 18, y2: y }, style: { stroke: colour(series), lineWidth: 2.4, lineDash: dashes[series & 7] } }] : [],
    { type: "text", style: { x: series >= 0 ? x + 24 : x, y, text, align, verticalAlign: "middle", fill: ink[Math.min(2, tone)], fontSize: tone > 1 ? 12 : 11, fontWeight: tone > 2 ? 600 : 400 } },
  ]),
}));

function options(figure, numbers, font) {
  const part = (at) => numbers.subarray(at[0], at[0] + at[1]);
  const series = figure.layers.map((l) => ({
    z: 2, clip: true, ...shapes[l.shape](l, part(l.at)), xAxisIndex: l.panel || 0, yAxisIndex: l.panel || 0, name: l.name,
  }));
  series.push({ ...texts(figure.texts), clip: false, z: 9, xAxisIndex: 0, yAxisIndex: 0 });
  return {
    animation: false, backgroundColor: "transparent", textStyle: { fontFamily: font },
    grid: figure.panels.map((p) => ({ left: p.left || 0, top: p.top || 0, width: p.width, height: p.height, outerBoundsMode: "none" })),
    xAxis: figure.panels.map((p, i) => axis(p.x, i, false, !p.y.base)),
    yAxis: figure.panels.map((p, i) => axis(p.y, i, true, !!p.y.base)),
    series,
  };
}

/** Makes a chart inside an element. hit is called with the layer and the item
 *  under the pointer, -1 where there is none. */
function create(element, hit) {
  let layers = 0;
  const chart = init(element, null, { renderer: "svg", width: 10, height: 10 });
  chart.on("mousemove", (e) => { if (e.componentType === "series" && e.seriesIndex < layers) hit(e.seriesIndex, e.dataIndex); });
  chart.on("mouseout", () => hit(-1, -1));
  return {
    /** Shows a figure: its text, and the bytes of its numbers. */
    setData(text, bytes, font) {
      try {
        const figure = JSON.parse(text);
        layers = figure.layers.length;
        if (figure.w !== chart.getWidth() || figure.h !== chart.getHeight()) chart.resize({ width: figure.w, height: figure.h, silent: true });
        chart.setOption(options(figure, new Float64Array(bytes.buffer), font), { notMerge: true });
        chart.getZr().flush();
        element.querySelector("svg").setAttribute("viewBox", `0 0 ${figure.w} ${figure.h}`); // print scales it
      } catch (error) {
        console.error(error); // a fault here must not end the program that calls
      }
    },
    /** The picture as the text of an SVG element. */
    export: () => chart.renderToSVGString({ useViewBox: true }),
    dispose: () => chart.dispose(),
  };
}

/** A text's QR code with its margin: how many modules a side has, and the dark
 *  ones as the data of a path. Nothing for a text that is too long. */
function qr(text) {
  let rows;
  try {
    rows = encodeQR(text, "raw", { ecc: "low", border: 4 });
  } catch {
    return null;
  }
  const path = rows.map((row, y) => row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : "").join("")).join("");
  return { size: rows.length, path };
}

window.batchlabCharts = { create, qr };
