/**
 * La función COTIZACION para Google Sheets.
 *
 * En la planilla: Extensiones, Apps Script; pegá este archivo, cambiá BASE por la dirección del
 * servicio y guardá. Después, en una celda:
 *
 *   =COTIZACION("USD"; "BLUE")                      la venta de ahora
 *   =COTIZACION("USD"; "BLUE"; A2)                  la venta al cierre del día de A2
 *   =COTIZACION("USD"; "BLUE"; A2:A400; "compra")   una columna de fechas con un solo pedido
 *   =COTIZACION(A2:A20; B2:B20)                     muchos pares con un solo pedido
 *
 * Una fila sin fecha, moneda u origen queda vacía. Solo sin el argumento fecha es el valor de ahora.
 *
 * El valor de ahora es un pedido para todos los pares, guardado un minuto. Los cierres son un pedido
 * por par para todas las fechas, guardado de a un año: ni mil celdas llegan a un límite.
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
  const monedas = comoTabla(moneda)
  const origenes = comoTabla(origen)
  const esAhora = fecha === undefined
  const fechas = comoTabla(fecha)
  const columna = columnaDe(lado)
  const filas = Math.max(monedas.length, origenes.length, fechas.length)
  const columnas = Math.max(monedas[0].length, origenes[0].length, fechas[0].length)
  const leido = {}

  const tabla = []
  for (let i = 0; i < filas; i++) {
    tabla.push([])
    for (let j = 0; j < columnas; j++) {
      const datos = [celda(monedas, i, j), celda(origenes, i, j), celda(fechas, i, j)]
      const estaVacia = datos.slice(0, esAhora ? 2 : 3).includes('')
      const par = `${datos[0]}/${datos[1]}`.toLowerCase()
      tabla[i].push(estaVacia ? '' : valorDe(leido, par, diaDe(datos[2]), columna))
    }
  }
  return filas === 1 && columnas === 1 ? tabla[0][0] : tabla
}

function valorDe(leido, par, dia, columna) {
  const hoy = enBuenosAires(new Date())
  if (dia > hoy) throw new Error(`El ${dia} todavía no llegó`)

  const filas = dia === '' || dia === hoy ? filasDeAhora(leido) : filasDelAnio(leido, par, dia)
  if (dia === '' || dia === hoy) {
    const fila = filas.find(([nombre]) => nombre === par)
    if (!fila) throw new Error(`No hay cotización de ${par.toUpperCase()}`)
    return Number(fila[columna])
  }
  const cierre = filas.filter(([fecha]) => fecha <= dia).pop()
  return cierre ? Number(cierre[columna]) : ''
}

/** [par, compra, venta] de todos los pares: un pedido. */
function filasDeAhora(leido) {
  if (leido.ahora) return leido.ahora
  const guardado = memoria().get('ahora')
  leido.ahora = guardado
    ? JSON.parse(guardado)
    : pedir('/api/v2/quotes?format=csv').map(([moneda, , origen, compra, venta]) => [
        `${moneda}/${origen}`.toLowerCase(),
        compra,
        venta,
      ])
  if (!guardado) memoria().put('ahora', JSON.stringify(leido.ahora), SEGUNDOS_AHORA)
  return leido.ahora
}

/** [fecha, compra, venta] de los días con cambio de un año, después del último cierre anterior. */
function filasDelAnio(leido, par, dia) {
  const anio = dia.slice(0, 4)
  const clave = `${par} ${anio}`
  if (!leido[clave]) {
    const guardado = memoria().get(clave)
    if (guardado) leido[clave] = JSON.parse(guardado)
    else guardarCierres(leido, par, anio)
  }
  return leido[clave]
}

/** Pide todos los cierres de un par y los guarda por año: cada valor entra en lo que Google guarda. */
function guardarCierres(leido, par, anio) {
  const cierres = pedir(`/${par}/diario.csv`)
  const ultimo = enBuenosAires(new Date()).slice(0, 4)
  const primero = cierres.length > 0 ? cierres[0][0].slice(0, 4) : ultimo
  let anterior = []
  for (let cual = Number(primero); cual <= Number(ultimo); cual++) {
    const delAnio = cierres.filter(([fecha]) => fecha.startsWith(`${cual}-`))
    leido[`${par} ${cual}`] = [...anterior, ...delAnio]
    anterior = leido[`${par} ${cual}`].slice(-1)
    const segundos = cual === Number(ultimo) ? SEGUNDOS_ANIO_EN_CURSO : SEGUNDOS_ANIO_CERRADO
    memoria().put(`${par} ${cual}`, JSON.stringify(leido[`${par} ${cual}`]), segundos)
  }
  leido[`${par} ${anio}`] = leido[`${par} ${anio}`] || [] // antes del primer cierre
}

/** Las filas de un CSV sin su encabezado. Ningún campo de los que se usan lleva comas. */
function pedir(ruta) {
  const respuesta = UrlFetchApp.fetch(BASE + ruta, { muteHttpExceptions: true })
  const codigo = respuesta.getResponseCode()
  if (codigo === 404) throw new Error('Ese par no existe')
  if (codigo !== 200) throw new Error(`El servicio respondió ${codigo}: probá de nuevo en un rato`)
  return respuesta
    .getContentText()
    .trim()
    .split('\r\n')
    .slice(1)
    .map((linea) => linea.split(','))
}

function memoria() {
  return CacheService.getScriptCache()
}

/** Una celda llega sola y un rango como lista de filas. */
function comoTabla(valor) {
  return Array.isArray(valor) ? valor : [[valor]]
}

/** La celda de un rango; uno de una fila o columna vale para todas. */
function celda(tabla, i, j) {
  const fila = tabla[tabla.length === 1 ? 0 : i] || []
  const valor = fila[fila.length === 1 ? 0 : j]
  return valor === undefined || valor === null ? '' : valor
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

function enBuenosAires(instante) {
  return Utilities.formatDate(instante, 'America/Argentina/Buenos_Aires', 'yyyy-MM-dd')
}
