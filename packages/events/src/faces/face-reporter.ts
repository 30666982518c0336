import type { Log } from '@gatehouse/runtime';
import type { FaceReport } from './face-report.ts';
import { Sender } from '../broker/sender.ts';
import { faceTopologyOf, type Topology } from '../broker/topology.ts';

/** Reports faces like a recognition pipeline. */
export interface FaceReporter {
  /** Resolves once the broker has stored the report. @throws {Unavailable} if that takes longer than 5 s. */
  report(report: FaceReport): Promise<void>;
  isReady(): boolean;
  close(): Promise<void>;
}

/** Connects in the background and reconnects by itself; without a connection `report` fails at once. */
export function createFaceReporter(options: { url: string; log: Log; topology?: Topology }): FaceReporter {
  const topology = options.topology ?? faceTopologyOf();
  const sender = new Sender({ ...options, topology, name: 'face reporter' });
  return {
    report: (report) =>
      sender.send('', topology.queue, Buffer.from(JSON.stringify(report)), {
        persistent: true,
        mandatory: true,
        contentType: 'application/json',
      }),
    isReady: () => sender.isReady,
    close: () => sender.close(),
  };
}
