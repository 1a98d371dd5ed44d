import xterm from '@xterm/headless';

/** A terminal's output, width and title. */
export interface Recording {
  readonly title: string;
  readonly output: string;
  readonly columns: number;
}

/** Neighboring cells with the same style. */
interface Span {
  readonly column: number;
  readonly text: string;
  readonly style: string;
}

// Renderers collapse plain blanks.
const NO_BREAK_SPACE = '\u00a0';

const CELL = { width: 8.4, height: 19 };
const MARGIN = 16;
const BACKGROUND = '#1d2027';
const FOREGROUND = '#e4e6eb';
const DIM = '#8b93a1';
/** The first eight colors of a terminal, readable on the background. */
const PALETTE = ['#1d2027', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e4e6eb'];

/** Draws the last screen of an output as an SVG without outside resources. */
export async function terminalSvg({ title, output, columns }: Recording): Promise<string> {
  const lines = await screenOf(output, columns);
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const texts = lines.flatMap((spans, row) => spans.map((span) => drawn(span, row)));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${FOREGROUND}">`,
    ...texts,
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

async function screenOf(output: string, columns: number): Promise<Span[][]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 100, convertEol: true, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(output, done));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => spansOf(active.getLine(row), columns));
  const last = lines.findLastIndex((spans) => spans.length > 0);
  return lines.slice(0, last + 1);
}

type Line = ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>;

function spansOf(line: Line, columns: number): Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    const style = cell === undefined ? '' : styleOf(cell);
    const text = cell?.getChars() || ' ';
    const before = spans.at(-1);
    if (before?.style === style) {
      spans[spans.length - 1] = { ...before, text: before.text + text };
    } else {
      spans.push({ column, text, style });
    }
  }
  return spans.map((span) => ({ ...span, text: span.text.trimEnd() })).filter(({ text }) => text !== '');
}

type Cell = NonNullable<ReturnType<NonNullable<Line>['getCell']>>;

function styleOf(cell: Cell): string {
  const color = cell.isFgPalette() ? PALETTE[cell.getFgColor() % PALETTE.length] : cell.isDim() ? DIM : undefined;
  return [...(color ? [` fill="${color}"`] : []), ...(cell.isBold() ? [' font-weight="bold"'] : [])].join('');
}

/** Each span has its position and length, so that every monospace font keeps the columns. */
function drawn({ column, text, style }: Span, row: number): string {
  const blanks = text.length - text.trimStart().length;
  const shown = text.trimStart();
  const x = (MARGIN + (column + blanks) * CELL.width).toFixed(1);
  const y = MARGIN + row * CELL.height + 14;
  const length = (shown.length * CELL.width).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}"${style}>${escaped(shown).replaceAll(' ', NO_BREAK_SPACE)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
