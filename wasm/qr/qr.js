// QR codes of links: a library with our glue. Bundled by the build into qr.js,
// which is loaded when the first code is shown.
import encodeQR from "qr";

/** A text's QR code with its margin: how many modules a side has, and the dark
 *  ones as the data of a path. Nothing for a text that is too long. */
window.batchlabQR = (text) => {
  let rows;
  try {
    rows = encodeQR(text, "raw", { ecc: "low", border: 4 });
  } catch {
    return null;
  }
  const path = rows.map((row, y) => row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : "").join("")).join("");
  return { size: rows.length, path };
};
