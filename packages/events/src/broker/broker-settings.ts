import { authoritySetting, ConfigError } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

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

/** The addresses in `AMQP_URL`. @throws {ConfigError} without the value, as it contains a password. */
export function readBrokerUrls(text: string): { urls: string[]; isTls: boolean } {
  // A password may contain a comma.
  const urls = text.trim().split(/, *(?=amqps?:\/\/)/);
  if (!urls.every((url) => URL.canParse(url))) {
    throw new ConfigError('AMQP_URL must be amqp://user:password@host/vhost, or several of them with commas');
  }
  const secure = urls.filter((url) => url.startsWith('amqps:')).length;
  if (secure !== 0 && secure !== urls.length)
    throw new ConfigError('AMQP_URL must ask for TLS (amqps:) of every node, or of none');
  return { urls, isTls: secure > 0 };
}
