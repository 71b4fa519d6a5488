import type { Delivery } from '../../../../shared/subscriptions/deliveries.ts'

const STATUS = {
  pending: 'En espera',
  sending: 'Enviándose',
  failed: 'Falló, se reintenta',
  delivered: 'Entregada',
  dead: 'No se pudo entregar',
  cancelled: 'Cancelada',
} as const satisfies Record<Delivery['status'], string>

const TYPE = {
  automatic: 'Cambio de valor',
  manual: 'Prueba',
  sync: 'Puesta al día',
} as const satisfies Record<Delivery['type'], string>

const ERROR = {
  http: 'el receptor no respondió 2xx',
  redirect: 'el receptor redirige, y no seguimos redirecciones',
  timeout: 'no respondió en 10 segundos',
  network: 'no se pudo conectar',
  destination: 'el destino no es una dirección pública permitida',
  interrupted: 'el intento se interrumpió',
  configuration: 'no pudimos leer la configuración del webhook',
  expired: 'venció antes de enviarse',
} as const satisfies Record<NonNullable<Delivery['errorType']>, string>

export const statusWords = ({ status }: Delivery): string => STATUS[status]
export const typeWords = ({ type }: Delivery): string => TYPE[type]
export const errorWords = ({ errorType }: Delivery): string | null =>
  errorType === null ? null : ERROR[errorType]

/** Whether a delivery will still change by itself. */
export function isOpen({ status }: Delivery): boolean {
  return status === 'pending' || status === 'sending' || status === 'failed'
}
