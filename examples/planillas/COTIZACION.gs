/**
 * Las funciones COTIZACION y FACTURACION para Google Sheets.
 *
 * En la planilla: Extensiones, Apps Script; pegá este archivo, cambiá BASE por la dirección del
 * servicio y guardá. Después, en una celda:
 *
 *   =COTIZACION("USD"; "BLUE")                      la venta de ahora
 *   =COTIZACION("USD"; "BLUE"; A2)                  la venta al cierre del día de A2
 *   =COTIZACION("USD"; "BLUE"; A2:A400; "compra")   una columna de fechas con un solo pedido
 *   =COTIZACION(A2:A20; B2:B20)                     muchos pares con un solo pedido
 *   =FACTURACION("USD"; A2)                         el tipo de cambio de una factura del día de A2
 *
 * Una fila sin fecha, moneda u origen queda vacía; la que tiene un error lo dice en su celda. Solo sin
 * el argumento fecha es el valor de ahora. El valor de ahora es un pedido para todos los pares, y los
 * cierres uno por par para todas las fechas de una fórmula. FACTURACION hace uno por día: hasta 20 cada
 * 10 segundos.
 */
const BASE = 'https://cotizaciones.example'

const SEGUNDOS_AHORA = 60
const SEGUNDOS_ANIO_EN_CURSO = 600
const SEGUNDOS_ANIO_CERRADO = 21600 // lo máximo que guarda Google

/**
 * Cotización de un par, ahora o al cierre de un día.
 *
 * @param {string} moneda USD, EUR, BRL, CLP, UYU o ARG; o un rango.
 * @param {string} origen BLUE, OFICIAL, BNA, BOLSA, CCL…; o un rango.
 * @param {date} fecha Opcional: el día, o un rango de días.
 * @param {string} lado Opcional: "venta" (si falta) o "compra".
 * @return El valor en pesos; vacío si el par todavía no cotizaba.
 * @customfunction
 */
function COTIZACION(moneda, origen, fecha, lado) {
  const columna = columnaDe(lado)
  const leido = {}
  return porCelda([moneda, origen, fecha], fecha === undefined ? 2 : 3, (m, o, f) =>
    valorDe(leido, `${m}/${o}`.toLowerCase(), diaDe(f), columna),
  )
}

/**
 * Tipo de cambio para facturar: el vendedor divisa del Banco Nación al cierre del día hábil anterior.
 *
 * @param {string} moneda USD, EUR, GBP, JPY…; o un rango.
 * @param {date} fecha El día de emisión, o un rango de días.
 * @return Pesos por las unidades de la tabla del banco; vacío si no hay registro.
 * @customfunction
 */
function FACTURACION(moneda, fecha) {
  const leido = {}
  return porCelda([moneda, fecha], 2, (m, f) => {
    const ruta = `/api/v2/invoicing/${m}?date=${diaDe(f)}&format=value`.toLowerCase()
    const valor = guardado(leido, ruta, SEGUNDOS_ANIO_EN_CURSO, () => texto(ruta))
    return valor === '' ? '' : Number(valor)
  })
}

/** El valor de cada celda; vacío donde falta uno de los primeros datos. */
function porCelda(datos, obligatorios, valor) {
  // Una celda llega sola y un rango como lista de filas.
  const tablas = datos.map((dato) => (Array.isArray(dato) ? dato : [[dato]]))
  const filas = Math.max(...tablas.map((tabla) => tabla.length))
  const columnas = Math.max(...tablas.map((tabla) => tabla[0].length))
  const unaSola = filas === 1 && columnas === 1
  const deCelda = (i, j) => {
    const deAqui = tablas.map((tabla) => celda(tabla, i, j))
    if (deAqui.slice(0, obligatorios).includes('')) return ''
    try {
      return valor(...deAqui)
    } catch (error) {
      if (unaSola) throw error
      return `Error: ${error.message}`
    }
  }
  if (unaSola) return deCelda(0, 0)
  return Array.from({ length: filas }, (_, i) =>
    Array.from({ length: columnas }, (_, j) => deCelda(i, j)),
  )
}

function valorDe(leido, par, dia, columna) {
  const hoy = Utilities.formatDate(new Date(), 'America/Argentina/Buenos_Aires', 'yyyy-MM-dd')
  if (dia > hoy) throw new Error(`El ${dia} todavía no llegó`)

  if (dia === '' || dia === hoy) {
    const ruta = '/api/v2/quotes?format=csv'
    const filas = guardado(leido, 'ahora', SEGUNDOS_AHORA, () => pedir(ruta))
    const fila = filas.find(([moneda, , origen]) => `${moneda}/${origen}`.toLowerCase() === par)
    if (!fila) throw new Error(`No hay cotización de ${par.toUpperCase()}`)
    return Number(fila[columna + 2]) // esta fila tiene dos campos más que un cierre, delante
  }
  const cierre = filasDelAnio(leido, par, dia, hoy)
    .filter(([fecha]) => fecha <= dia)
    .pop()
  return cierre ? Number(cierre[columna]) : ''
}

/** [fecha, compra, venta] de los días con cambio de un año, después del último cierre anterior. */
function filasDelAnio(leido, par, dia, hoy) {
  const anio = dia.slice(0, 4)
  const segundos = hoy.startsWith(anio) ? SEGUNDOS_ANIO_EN_CURSO : SEGUNDOS_ANIO_CERRADO
  return guardado(leido, `${par} ${anio}`, segundos, () => {
    const cierres = unaVez(leido, par, () => pedir(`/${par}/diario.csv`))
    const esAnterior = (cierre) => cierre !== undefined && cierre[0] < anio
    return cierres.filter(
      (cierre, i) =>
        cierre[0].startsWith(anio) || (esAnterior(cierre) && !esAnterior(cierres[i + 1])),
    )
  })
}

/** El resultado de un pedido. Un pedido que falla no se repite en otra celda. */
function unaVez(leido, clave, pedido) {
  try {
    if (leido[clave] === undefined) leido[clave] = pedido()
  } catch (error) {
    leido[clave] = error
  }
  if (leido[clave] instanceof Error) throw leido[clave]
  return leido[clave]
}

/** Como `unaVez`, y además guarda el resultado para las celdas que se calculan después. */
function guardado(leido, clave, segundos, pedido) {
  return unaVez(leido, clave, () => {
    const memoria = CacheService.getScriptCache()
    const anterior = memoria.get(clave)
    if (anterior) return JSON.parse(anterior)
    const nuevo = pedido()
    memoria.put(clave, JSON.stringify(nuevo), segundos)
    return nuevo
  })
}

/** Las filas de un CSV sin su encabezado. */
function pedir(ruta) {
  return Utilities.parseCsv(texto(ruta)).slice(1)
}

function texto(ruta) {
  const respuesta = UrlFetchApp.fetch(BASE + ruta, { muteHttpExceptions: true })
  const codigo = respuesta.getResponseCode()
  if (codigo === 404) throw new Error('Eso no existe en el servicio')
  if (codigo === 400) throw new Error(JSON.parse(respuesta.getContentText()).error)
  if (codigo !== 200) throw new Error(`El servicio respondió ${codigo}: probá de nuevo en un rato`)
  return respuesta.getContentText()
}

/** La celda de un rango; un rango de una sola fila o columna vale para todas. */
function celda(tabla, i, j) {
  const fila = tabla[tabla.length === 1 ? 0 : i] || []
  return fila[fila.length === 1 ? 0 : j] ?? ''
}

function columnaDe(lado) {
  if (lado === undefined || lado === '' || lado === 'venta') return 2
  if (lado === 'compra') return 1
  throw new Error('El lado es "venta" o "compra"')
}

/** AAAA-MM-DD de una fecha de la planilla, de un texto así, o nada para ahora. */
function diaDe(fecha) {
  if (fecha === '') return ''
  if (fecha instanceof Date) {
    const zona = SpreadsheetApp.getActive().getSpreadsheetTimeZone()
    return Utilities.formatDate(fecha, zona, 'yyyy-MM-dd')
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(fecha)) return fecha
  throw new Error('La fecha es una fecha de la planilla, o un texto como 2026-03-02')
}
