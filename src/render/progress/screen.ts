import { MultiBar } from 'cli-progress';
import type { OutputStream } from '../../base/context.ts';
import { createFrame } from './frame.ts';

/** Lines at the foot of the terminal that are drawn again and again. */
export interface Screen {
  draw(): void;
  /** A line that stays above; shown with the next drawing. */
  keep(line: string): void;
  /** Takes the redrawn lines away and leaves the cursor where they began. */
  close(): void;
}

/** A screen of two lines, taken anew from `lines` at every drawing; it looks by itself four times a second. */
export function createScreen(stream: OutputStream, lines: () => readonly [string, string]): Screen {
  const frame = createFrame(stream);
  const options = { terminal: frame, fps: 4, forceRedraw: true, clearOnComplete: true, linewrap: null };
  const bars = new MultiBar(options);
  bars.on('update-post', () => {
    frame.flush();
    letGo(bars);
  });
  bars.on('stop', frame.flush);
  bars.create(1, 0, {}, { format: () => lines()[0] });
  bars.create(1, 0, {}, { format: () => lines()[1] });
  letGo(bars);
  return { draw: () => bars.update(), keep: (line) => frame.write(`${line}\n`, true), close: () => bars.stop() };
}

// The timer of cli-progress would keep a process alive that has nothing left to do.
function letGo(bars: MultiBar): void {
  const timer: unknown = Reflect.get(bars, 'timer');
  if (timer !== null && typeof timer === 'object' && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}
