import { NO_TRACING, spanning, type Log, type Tracing } from '@gatehouse/runtime';
import { carriesMail, type AnyEvent } from './event/event.ts';
import { Sender } from './broker/sender.ts';
import { faceTopologyOf, hookTopologyOf, topologyOf, type Topology } from './broker/topology.ts';

export type Publisher = ReturnType<typeof createPublisher>;

/** Connects in the background and reconnects by itself; without a connection `publish` fails at once. */
export function createPublisher(options: {
  url: string;
  /** The certificate authorities of the broker as PEM; by default those that Node trusts. */
  ca?: string | undefined;
  log: Log;
  /** The process's name, shown in the broker's list of connections. */
  name?: string;
  topology?: Topology;
  confirmMs?: number;
  tracing?: Tracing | undefined;
}) {
  const { tracing = NO_TRACING, topology = topologyOf() } = options;
  const sender = new Sender({ ...options, topology, name: `${options.name ?? 'gatehouse'} publisher` });
  return {
    /**
     * Resolves once the broker has stored the event, in the mail queue if it sends a mail. @throws {Unavailable} after
     * 5 s; it may have been published nevertheless.
     */
    publish: (event: AnyEvent): Promise<void> => {
      const span = tracing.resume('outbox publish', 'producer', event.traceparent, {
        'messaging.system': 'rabbitmq',
        'messaging.operation.type': 'send',
        'gatehouse.event': event.type,
      });
      return spanning(tracing, span, () =>
        sender.send(topology.exchange, event.type, Buffer.from(JSON.stringify(event)), {
          persistent: true,
          mandatory: carriesMail(event),
          contentType: 'application/cloudevents+json',
          messageId: event.id,
          type: event.type,
          ...(span && { headers: { traceparent: span.traceparent } }),
        }),
      );
    },
    isReady: () => sender.isReady,
    /** Of the queues of mails, faces and webhooks' events. @throws {Unavailable} without a connection. */
    queueDepths: () => sender.depthsOf([topology, faceTopologyOf(), hookTopologyOf()].flatMap(queuesIn)),
    close: () => sender.close(),
  };
}

function queuesIn({ queue, delays, dead }: Topology): string[] {
  return [queue, ...delays.map((delay) => delay.queue), dead];
}
