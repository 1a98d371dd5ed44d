import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';

/** Chooses people to read back at the end, evenly spread over the list. */
export interface Sampler {
  collect(listBatch: ListBatch): void;
  /** At most as many as requested. */
  readonly items: readonly ContactItem[];
}

/** Samples `size` people out of `total`. The choice is deterministic, so a resume reads the same people. */
export function createSampler(total: number, size: number): Sampler {
  const items: ContactItem[] = [];
  const stride = Math.max(1, total / Math.max(1, size));
  let seen = 0;
  return {
    items,
    collect: (listBatch) => {
      for (let at = 0; at < listBatch.rows.length; at += 1, seen += 1) {
        if (items.length < size && seen >= Math.floor(items.length * stride)) {
          items.push(listBatch.items[at] as ContactItem);
        }
      }
    },
  };
}
