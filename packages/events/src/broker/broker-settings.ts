import { authoritySetting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** The settings of a service's connections to RabbitMQ. */
export function brokerSettings() {
  return {
    AMQP_URL: Type.String({
      pattern: /^amqps?:\/\//.source,
      writeOnly: true,
      description: 'The RabbitMQ that events and mails travel over; the nodes of a cluster with commas',
    }),
    AMQP_CA: authoritySetting('RabbitMQ'),
  };
}
