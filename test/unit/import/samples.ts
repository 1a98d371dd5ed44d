import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The header and the first row of a sample, cut at its delimiter. */
export interface Sample {
  readonly name: string;
  readonly header: readonly string[];
  readonly row: readonly string[];
}

/** The samples whose first row is a person. */
export const SAMPLES: readonly Sample[] = samplesOf(join(import.meta.dirname, '../../../samples'));

function samplesOf(folder: string): readonly Sample[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      return samplesOf(path);
    }
    if (!name.endsWith('.csv')) {
      return [];
    }
    const [header = '', row = ''] = readFileSync(path, 'utf8').replace('\ufeff', '').split(/\r?\n/);
    const delimiter = header.includes(';') ? ';' : ',';
    return [{ name, header: cut(header, delimiter), row: cut(row, delimiter) }];
  });
}

function cut(line: string, delimiter: string): readonly string[] {
  const cells =
    line.match(delimiter === ';' ? /("(?:[^"]|"")*"|[^;]*)(?:;|$)/g : /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  return cells.slice(0, -1).map((cell) => cell.replace(/[;,]$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'));
}
