/**
 * Public names that answer with a cloud's instance metadata, credentials among it. The DNS check
 * refuses most of them again by address; these are refused before any question is asked.
 */

/** Names that are the service, or are above it. */
const METADATA_HOSTS = [
  'metadata.goog',
  'api.metadata.cloud.ibm.com',
  'api.service.softlayer.com',
  'metadata.yandexcloud.net',
  'metadata.maas.io',
]

/** Where providers keep, or kept, a host called `metadata` or `instance-data`. */
const PROVIDER_DOMAINS = [
  'aliyun.com',
  'aliyuncs.com',
  'alibabacloud.com',
  'amazonaws.com',
  'azure.com',
  'azure.net',
  'windows.net',
  'brightbox.com',
  'cherryservers.com',
  'digitalocean.com',
  'equinix.com',
  'platformequinix.com',
  'platformequinix.net',
  'packet.com',
  'packet.net',
  'packethost.net',
  'exoscale.ch',
  'exoscale.com',
  'google.com',
  'googleapis.com',
  'hetzner.cloud',
  'hetzner.com',
  'huaweicloud.com',
  'myhuaweicloud.com',
  'cloud.ibm.com',
  'softlayer.com',
  'joyent.com',
  'linode.com',
  'oraclecloud.com',
  'oraclevcn.com',
  'ovh.com',
  'ovh.net',
  'rackspace.com',
  'scaleway.com',
  'scw.cloud',
  'qcloud.com',
  'tencent.com',
  'tencentcloud.com',
  'tencentyun.com',
  'tencentyun.net',
  'upcloud.com',
  'volces.com',
  'vultr.com',
  'yandexcloud.net',
]

const REFUSED = [
  ...METADATA_HOSTS,
  ...PROVIDER_DOMAINS.flatMap((domain) => [`metadata.${domain}`, `instance-data.${domain}`]),
]

export function isMetadataHost(host: string): boolean {
  return REFUSED.some((name) => host === name || host.endsWith(`.${name}`))
}
