import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { withoutPositions } from '../../base/lib/bit-set.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import {
  type BatchThreadMessage,
  type BatchThreadRequest,
  type BatchThreadTask,
  MAX_READY_BATCHES,
} from './batch-thread.ts';
import { contactTexts } from './contact-text.ts';
import { cutTextBatches, type ListBatch } from './cut-batches.ts';
import { reopenList } from './reread-list.ts';

/** Opens a list, and makes a function that posts its batches from a thread. The function may be called once. */
export async function createBatchPoster(port: MessagePort, task: BatchThreadTask): Promise<() => Promise<void>> {
  const list = await reopenList(task);
  return () => postBatches(port, task, list);
}

async function postBatches(
  port: MessagePort,
  task: BatchThreadTask,
  list: Awaited<ReturnType<typeof reopenList>>,
): Promise<void> {
  const post = (message: BatchThreadMessage, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  const signal = new AbortController().signal;
  let ready = MAX_READY_BATCHES;
  const reusable: ArrayBuffer[] = [];
  port.on('message', (message: BatchThreadRequest) => {
    if (message === 'next') {
      ready += 1;
    } else {
      reusable.push(message);
    }
  });
  const texts = withoutPositions(contactTexts(list, { signal }), task.unchanged);
  for await (const batch of cutTextBatches(texts, { size: task.size, reusable })) {
    while (ready === 0) {
      await once(port, 'message');
    }
    ready -= 1;
    postBatch(post, batch);
  }
  list.close();
  post({ kind: 'end' });
}

function postBatch(
  post: (message: BatchThreadMessage, moved: ArrayBuffer[]) => void,
  { index, rowNumbers, body }: ListBatch,
): void {
  post({ kind: 'batch', index, rowNumbers, body, sha256: sha256Hex(body) }, [rowNumbers.buffer, body.buffer]);
}
