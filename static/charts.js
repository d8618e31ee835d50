// The glue between the page's program and ECharts, kept small: the program
// says what to draw in one plain object and one Float64Array, and answers with
// words when the reader points at something. Loaded when a chart first needs it.
import * as echarts from "echarts/core";
import { LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent, DataZoomComponent, MarkAreaComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([LineChart, ScatterChart, GridComponent, TooltipComponent, DataZoomComponent, MarkAreaComponent, SVGRenderer]);

// pairs cuts a line's points out of the shared array.
const pairs = (data, at, n) => Array.from({ length: n }, (_, i) => [data[at + 2 * i], data[at + 2 * i + 1]]);

function axis(a, spec, grid, vertical) {
  const c = spec.colours;
  const labels = new Map(a.ticks.map((t) => [t.at, t]));
  const values = a.ticks.map((t) => t.at);
  return {
    type: a.log ? "log" : "value", gridIndex: grid, min: a.min, max: a.max, scale: true, silent: true,
    name: a.name, nameLocation: vertical ? "end" : "middle", nameGap: vertical ? 8 : 24,
    nameTextStyle: { color: c.ink3, fontSize: 11, align: vertical ? "right" : "center", padding: vertical ? [0, 6, 0, 0] : 0 },
    axisLine: { show: !vertical, onZero: false, lineStyle: { color: c.line3 } },
    axisTick: { show: false, customValues: values },
    splitLine: { show: true, lineStyle: { color: c.grid } },
    axisLabel: {
      show: a.labels !== false, customValues: values, hideOverlap: true, color: c.ink3, fontSize: 11,
      formatter: (v) => { const t = labels.get(v); return t ? (t.bold ? `{b|${t.label}}` : t.label) : ""; },
      rich: { b: { color: c.ink, fontWeight: 600, fontSize: 11 } },
    },
    axisPointer: { show: !vertical && spec.hover === "axis", snap: false, label: { show: false }, lineStyle: { color: c.ink3, type: [2, 2] } },
  };
}

function series(line, i, spec, data) {
  const points = pairs(data, line.at, line.n);
  const common = { name: line.name, xAxisIndex: line.grid, yAxisIndex: line.grid, data: points, animation: false, silent: line.kind !== "dots", z: 3 + (line.front ? 1 : 0) };
  if (line.kind === "dots") {
    return { ...common, type: "scatter", symbolSize: (_, p) => line.sizes[p.dataIndex] || 8, itemStyle: { color: line.colour, opacity: 0.72, borderColor: spec.colours.panel, borderWidth: 1 }, emphasis: { itemStyle: { opacity: 1, borderColor: spec.colours.accent, borderWidth: 2 } } };
  }
  return {
    ...common, type: "line", step: line.kind === "steps" ? "end" : false, symbol: "none", sampling: undefined, clip: true,
    lineStyle: { color: line.colour, width: line.width, type: line.dash.length ? line.dash : "solid", join: "round" },
    areaStyle: line.area ? { color: line.colour, opacity: 0.12 } : undefined,
    markArea: line.bands ? { silent: true, itemStyle: { color: spec.colours.sunken, opacity: 0.55 }, data: line.bands.map(([a, b]) => [{ xAxis: a }, { xAxis: b }]) } : undefined,
  };
}

// set draws a spec: {grids, x, y, lines, hover, zoom, colours, font}.
function set(chart, spec, data) {
  const c = spec.colours;
  const say = chart.batchlabSay;
  chart.setOption({
    animation: false, textStyle: { fontFamily: spec.font }, backgroundColor: "transparent",
    grid: spec.grids.map((g) => ({ left: g.left, right: g.right, top: g.top, height: g.height, outerBoundsMode: "none" })),
    xAxis: spec.x.map((a, i) => axis(a, spec, i, false)), yAxis: spec.y.map((a, i) => axis(a, spec, i, true)),
    axisPointer: { link: [{ xAxisIndex: "all" }], triggerOn: "mousemove" },
    tooltip: {
      show: true, trigger: spec.hover === "axis" ? "axis" : "item", confine: true, transitionDuration: 0, padding: [8, 10],
      backgroundColor: c.panel, borderColor: c.line2, borderWidth: 1, textStyle: { color: c.ink, fontSize: 12, fontFamily: spec.font },
      formatter: (p) => { const q = Array.isArray(p) ? p[0] : p; return q ? say(q.axisValue ?? q.value?.[0] ?? 0, q.seriesIndex, q.dataIndex) : ""; },
    },
    dataZoom: spec.zoom ? [{ type: "inside", xAxisIndex: spec.x.map((_, i) => i), filterMode: "none", startValue: spec.zoom[0], endValue: spec.zoom[1], minValueSpan: 60, zoomOnMouseWheel: true, moveOnMouseMove: true }] : [],
    series: spec.lines.map((l, i) => series(l, i, spec, data)),
  }, { notMerge: !spec.keep, replaceMerge: spec.keep ? ["series"] : undefined, lazyUpdate: false });
}

window.batchlabCharts = {
  // create makes a chart in el. say(x, series, point) answers with HTML for
  // what is pointed at; zoomed(from, to) is told when the reader zooms.
  create(el, say, zoomed) {
    const chart = echarts.init(el, null, { renderer: "svg" });
    chart.batchlabSay = say;
    chart.on("datazoom", () => {
      const z = chart.getOption().dataZoom?.[0];
      if (z) zoomed(z.startValue, z.endValue);
    });
    return chart;
  },
  set,
  resize: (chart) => chart.resize({ animation: { duration: 0 } }),
  svg: (chart) => chart.renderToSVGString(),
  dispose: (chart) => chart.dispose(),
};
