import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../tools/support/scratch.ts'

/** A stub of WordPress and WooCommerce: one product in dollars, and an answer of the service. */
const WORLD = `<?php
define('COTIZACIONES_URL', 'https://x'); define('COTIZACIONES_PAR', 'usd/oficial');
function register_activation_hook() {} function register_deactivation_hook() {} function add_action() {}
class Product {
  public string $price = '1000'; public int $saves = 0;
  function get_meta($name) { return $name === 'precio_usd' ? '10.50' : ''; }
  function get_regular_price() { return $this->price; }
  function set_regular_price($price) { $this->price = $price; }
  function save() { $this->saves++; }
}
$product = new Product();
function wc_get_products() { global $product; return [$product]; }
function wp_remote_get($url) { global $answer; return $answer; }
function wp_remote_retrieve_response_code($response) { return $response[0]; }
function wp_remote_retrieve_body($response) { return json_encode($response[1]); }
require $argv[1];
foreach (json_decode($argv[2], true) as $answer) {
  $changed = ped_update_prices();
  echo json_encode([$changed, $product->price, $product->saves]), "\\n";
}`

const isHere = spawnSync('php', ['--version']).status === 0
const now = new Date().toISOString()
const old = '2020-01-01T00:00:00.000-03:00'

/** Answers of the service in turn, and the effect of each on the product. */
const cases: [status: number, answer: object, done: [number, string, number]][] = [
  [503, { error: 'x' }, [0, '1000', 0]],
  [200, { sell: null, lastScrapedAt: now }, [0, '1000', 0]],
  [200, { sell: 1500, lastScrapedAt: old }, [0, '1000', 0]],
  [200, { sell: 1500.25, lastScrapedAt: now }, [1, '15753', 1]],
  [200, { sell: 1500.25, lastScrapedAt: now }, [0, '15753', 1]],
]

it.each(isHere ? ['precios-en-dolares.php'] : [])(
  '%s sets the price times the rate, once, and changes nothing by an old or absent rate',
  (file) => {
    const plugin = resolve('examples/woocommerce', file)
    const world = join(temporaryFolder(), 'world.php')
    writeFileSync(world, WORLD)
    const answers = JSON.stringify(cases.map(([status, answer]) => [status, answer]))
    const output = execFileSync('php', [world, plugin, answers])
    const done = String(output)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(done).toEqual(cases.map(([, , done]) => done))
  },
)
