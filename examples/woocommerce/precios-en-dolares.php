<?php
/**
 * Plugin Name: Precios en dólares
 * Description: Actualiza cada hora los precios en pesos de los productos que tienen un precio en dólares.
 * Version: 1.0.0
 * Requires PHP: 8.0
 *
 * Sets the price of each product with a custom field `precio_usd` to that price times the rate, in
 * whole pesos. Set the address of the service and the pair of the rate in wp-config.php:
 *   define('COTIZACIONES_URL', 'https://cotizaciones.example');
 *   define('COTIZACIONES_PAR', 'usd/oficial');
 */

declare(strict_types=1);

const PED_HOOK = 'precios_en_dolares';
/** With a rate older than this, in seconds, prices do not change. */
const PED_MAX_AGE = 3 * 86400;

register_activation_hook(__FILE__, function (): void {
    if (!wp_next_scheduled(PED_HOOK)) {
        wp_schedule_event(time(), 'hourly', PED_HOOK);
    }
});
register_deactivation_hook(__FILE__, fn () => wp_clear_scheduled_hook(PED_HOOK));
add_action(PED_HOOK, 'ped_update_prices');

/** The selling rate; null when the request fails or the rate is too old: no price then changes. */
function ped_rate(): ?float
{
    $response = wp_remote_get(COTIZACIONES_URL . '/api/v2/' . COTIZACIONES_PAR, ['timeout' => 10]);
    if (wp_remote_retrieve_response_code($response) !== 200) {
        return null;
    }
    $quote = json_decode(wp_remote_retrieve_body($response), true);
    $confirmed = strtotime($quote['lastScrapedAt'] ?? '') ?: 0;
    $sell = $quote['sell'] ?? null;
    return is_numeric($sell) && $sell > 0 && time() - $confirmed <= PED_MAX_AGE ? (float) $sell : null;
}

/** Updates the prices. Returns how many changed. */
function ped_update_prices(): int
{
    $rate = ped_rate();
    if ($rate === null) {
        return 0;
    }
    $changed = 0;
    foreach (wc_get_products(['limit' => -1, 'meta_key' => 'precio_usd']) as $product) {
        $price = (string) round((float) $product->get_meta('precio_usd') * $rate);
        if ($product->get_regular_price() === $price) {
            continue;
        }
        $product->set_regular_price($price);
        $product->save();
        $changed++;
    }
    return $changed;
}
