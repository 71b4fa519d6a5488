<?php
// Receives webhooks: checks the signature, drops repeats, writes each change to the log.
//   SECRET=… php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

$secret = (string) getenv('SECRET');
$body = (string) file_get_contents('php://input');
$deliveryId = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signature = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';

$mac = hash_hmac('sha256', "$deliveryId.$timestamp.$body", $secret, true);
$expected = 'v1,' . base64_encode($mac);
if (abs(time() - (int) $timestamp) > 300 || !hash_equals($expected, $signature)) {
    http_response_code(401);
    return;
}
http_response_code(204);

// Creates a file per delivery: "x" fails if the file exists. In a database, use a unique key.
$folder = sys_get_temp_dir() . '/cotizaciones-' . substr(hash('sha256', $secret), 0, 16);
if (!is_dir($folder)) {
    mkdir($folder, 0700);
}
if (!preg_match('/^[0-9a-f-]{36}$/', $deliveryId) || !@fopen("$folder/$deliveryId", 'x')) {
    return;
}
$event = json_decode($body, true);
error_log("{$event['currency']}/{$event['origin']} {$event['prevSell']} -> {$event['sell']}");
