import { type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Program } from '../support/program.ts';

/** When a signal is sent: after this number of file changes in the state folder, or of milliseconds. */
export type Moment = { readonly kind: 'writes'; readonly count: number } | { readonly kind: 'ms'; readonly ms: number };

/** The number of file changes in a state folder so far, as the operating system reports them. */
export interface WriteCount {
  readonly writes: number;
  close(): void;
}

/** Watches the journals of a state folder. Calls `onWrite` at every change. */
export function watchWrites(state: string, onWrite: (count: number) => void): WriteCount {
  const runs = join(state, 'runs');
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  let writes = 0;
  const count = () => {
    writes += 1;
    onWrite(writes);
  };
  const watchers: FSWatcher[] = [];
  const seen = new Set<string | null>();
  const watchRun = (name: string | null) => {
    if (!seen.has(name)) {
      seen.add(name);
      if (name?.startsWith('run_')) {
        watchers.push(watch(join(runs, name), count).on('error', () => undefined));
      }
    }
  };
  readdirSync(runs).forEach(watchRun);
  watchers.push(
    watch(runs, (_, name) => {
      count();
      watchRun(name);
    }),
  );
  return {
    get writes() {
      return writes;
    },
    close: () => watchers.forEach((watcher) => watcher.close()),
  };
}

/** Sends the signal at the moment, unless the program has ended. */
export async function strike(
  program: Program,
  signal: NodeJS.Signals,
  { moment, state }: { readonly moment: Moment; readonly state: string },
): Promise<void> {
  const over = new AbortController();
  program.exit.finally(() => over.abort());
  if (moment.kind === 'ms') {
    await setTimeout(moment.ms, undefined, { signal: over.signal }).then(
      () => program.child.kill(signal),
      () => undefined,
    );
    return;
  }
  const counting = watchWrites(state, (count) => {
    if (count === moment.count) {
      program.child.kill(signal);
    }
  });
  await program.exit;
  counting.close();
}
