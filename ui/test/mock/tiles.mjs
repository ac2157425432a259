// Tiles as the interface describes them.

const magic = 0x54535754;

export function tile(track, start, end, px) {
  return track.kind === 'counter' ? counterTile(track, start, end, px) : sliceTile(track, start, end, px);
}

function sliceTile(track, start, end, px) {
  const pixel = (end - start) / px;
  const out = [];
  let open = null;
  const close = () => {
    if (open) out.push(open);
    open = null;
  };
  for (const event of track.rows) {
    const to = event.start + event.duration;
    if (event.start >= end || to < start || (to === start && event.duration > 0)) continue;
    if (open && open.depth !== event.depth) close();
    if (event.duration >= pixel) {
      close();
      out.push({ start: event.start, duration: event.duration, name: event.name, row: event.row, events: 1, busy: 1, depth: event.depth, gpu: event.kind === 'gpu' });
      continue;
    }
    const column = Math.floor((event.start - start) / pixel);
    if (open && open.column !== column) close();
    if (!open) {
      open = { column, start: event.start, duration: event.duration, name: event.name, row: event.row, events: 1, filled: event.duration, longest: event.duration, depth: event.depth, gpu: event.kind === 'gpu', busy: 1 };
    } else {
      open.events++;
      open.filled += event.duration;
      open.duration = Math.max(open.duration, to - open.start);
      if (event.duration > open.longest) Object.assign(open, { longest: event.duration, name: event.name, row: event.row });
      open.busy = open.duration ? Math.min(1, open.filled / open.duration) : 1;
    }
  }
  close();
  const n = out.length;
  const buffer = Buffer.alloc(16 + n * 35);
  header(buffer, 0, n);
  let at = 16;
  const column = (size, write) => {
    out.forEach((slice, i) => write(slice, at + i * size));
    at += n * size;
  };
  column(8, (s, p) => buffer.writeDoubleLE(s.start, p));
  column(8, (s, p) => buffer.writeDoubleLE(s.duration, p));
  column(4, (s, p) => buffer.writeUInt32LE(s.name, p));
  column(4, (s, p) => buffer.writeUInt32LE(s.row, p));
  column(4, (s, p) => buffer.writeUInt32LE(s.events, p));
  column(4, (s, p) => buffer.writeFloatLE(s.busy, p));
  column(2, (s, p) => buffer.writeUInt16LE(s.depth, p));
  column(1, (s, p) => buffer.writeUInt8(s.gpu ? 1 : 0, p));
  return buffer;
}

function counterTile(track, start, end, px) {
  const pixel = (end - start) / px;
  const out = [];
  let before = null;
  for (const sample of track.rows) {
    if (sample.start >= end) break;
    if (sample.start < start) {
      before = sample;
      continue;
    }
    if (before) out.push({ column: -1, start: before.start, min: before.value, max: before.value, last: before.value });
    before = null;
    const column = Math.floor((sample.start - start) / pixel);
    const open = out[out.length - 1];
    if (open && open.column === column) {
      open.min = Math.min(open.min, sample.value);
      open.max = Math.max(open.max, sample.value);
      open.last = sample.value;
    } else out.push({ column, start: sample.start, min: sample.value, max: sample.value, last: sample.value });
  }
  if (before) out.push({ start: before.start, min: before.value, max: before.value, last: before.value });
  const buffer = Buffer.alloc(16 + out.length * 32);
  header(buffer, 1, out.length);
  ['start', 'min', 'max', 'last'].forEach((key, c) => out.forEach((one, i) => buffer.writeDoubleLE(one[key], 16 + (c * out.length + i) * 8)));
  return buffer;
}

function header(buffer, kind, count) {
  buffer.writeUInt32LE(magic, 0);
  buffer.writeUInt32LE(1, 4);
  buffer.writeUInt32LE(kind, 8);
  buffer.writeUInt32LE(count, 12);
}
